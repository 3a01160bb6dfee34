// Who answers the questions of the page: the server that it comes from.
// The playground has another file of this name, which answers with engines in the browser.

/**
 * The answer to a question, as JSON. Throws an Error with a message for the reader, or an AbortError
 * if `signal` stopped it. If the question was refused, the Error has its `status`, `messages` with fields if
 * it is about lines of a text, `boxes` if these are all that is missing, and `without`, the text without the
 * clues that are not known.
 */
export async function answer(path, body, signal) {
  try {
    const said = await fetch(`api${path}`, {
      method: body ? "POST" : "GET",
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body && JSON.stringify(body),
      signal,
    });
    const content = await contentOf(said);
    if (!said.ok) throw Object.assign(new Error(content.error), { ...content, status: said.status });
    return content;
  } catch (error) {
    if (error instanceof TypeError) throw new Error("The server does not answer. Is it running?");
    throw error;
  }
}

/** The JSON of an answer; a server that is being stopped sends something else, or only a part. */
async function contentOf(said) {
  try {
    return await said.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server stopped before it had answered. Is it still running?");
  }
}
