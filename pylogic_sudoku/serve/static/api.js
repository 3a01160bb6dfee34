// Questions to the server. Of each sort, a new one cancels the one before.

const running = new Map();

/** Throws an Error with a message for the reader, or an AbortError if it was cancelled. */
export async function ask(path, body, sort = "question") {
  cancel(sort);
  const mine = new AbortController();
  running.set(sort, mine);
  try {
    const answer = await fetch(`api${path}`, {
      method: body ? "POST" : "GET",
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body && JSON.stringify(body),
      signal: mine.signal,
    });
    const content = await answer.json();
    if (!answer.ok) throw new Error(content.error);
    return content;
  } catch (error) {
    if (error instanceof TypeError) throw new Error("The server does not answer. Is it running?");
    throw error;
  } finally {
    if (running.get(sort) === mine) running.delete(sort);
  }
}

export const cancel = (sort = "question") => running.get(sort)?.abort();

export const wasCancelled = (error) => error.name === "AbortError";
