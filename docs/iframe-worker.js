// Lets the site's search work when the pages are read from disk.
//
// A browser starts no worker from a file: URL. So an empty frame takes its place: it loads the
// worker's script, and messages go to and fro. The theme's offline plugin does without the
// script of another host if a file of this name is there.

class FrameWorker extends EventTarget {
  #inside;

  constructor(url) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.srcdoc = `<!DOCTYPE html><title>Search</title><script src="${encodeURI(decodeURI(url))}"></script>`;
    this.#inside = new Promise((ready) => {
      frame.onload = () => ready(this.#connected(frame.contentWindow));
    });
    document.body.append(frame);
  }

  postMessage(data) {
    this.#inside.then((inside) => {
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    });
  }

  /** The frame's window, once what its script posts comes here instead of back to itself. */
  #connected(inside) {
    inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    return inside;
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
