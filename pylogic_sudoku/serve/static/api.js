// Questions to the server. Of each sort, a new one cancels the one before.

const running = new Map();

/**
 * Throws an Error with a message for the reader, or an AbortError if it was cancelled. If the server
 * refused, the Error has its `status`, and `boxes` if these are all that is missing.
 */
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
    const content = await contentOf(answer);
    if (!answer.ok) throw Object.assign(new Error(content.error), { status: answer.status, boxes: content.boxes });
    return content;
  } catch (error) {
    if (error instanceof TypeError) throw new Error("The server does not answer. Is it running?");
    throw error;
  } finally {
    if (running.get(sort) === mine) running.delete(sort);
  }
}

/** The JSON of an answer; a server that is being stopped sends something else, or only a part. */
async function contentOf(answer) {
  try {
    return await answer.json();
  } catch (error) {
    if (wasCancelled(error)) throw error;
    throw new Error("The server stopped before it had answered. Is it still running?");
  }
}

export const cancel = (sort = "question") => running.get(sort)?.abort();

export const wasCancelled = (error) => error.name === "AbortError";
