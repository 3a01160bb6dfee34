// Sets without a redundant member.

/**
 * A part of the list for which `holds` is true, and false without any one of its members. It must be
 * true of the whole list, and more members must never make it false. The last members are left out
 * first, several at a time.
 */
export async function minimal(all, holds) {
  let kept = all;
  for (let size = Math.ceil(all.length / 2); size; size = Math.floor(size / 2)) {
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = [...kept.slice(0, Math.max(end - size, 0)), ...kept.slice(end)];
      if (await holds(fewer)) kept = fewer;
    }
  }
  return kept;
}
