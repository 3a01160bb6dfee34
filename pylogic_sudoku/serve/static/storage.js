// What survives a reload: in this tab, and for the next tab.

/** Store a value as JSON. */
export function keep(key, value) {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.setItem(key, JSON.stringify(value));
    } catch {
      // Full, or forbidden: a reload starts over.
    }
  }
}

/** The value that was stored last, in this tab if it has one; null if there is none. Throws if storage is forbidden. */
export const kept = (key) => JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key));
