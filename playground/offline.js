// Keeps the whole folder on the visitor's machine, so that the page works without a network.
//
// The build writes the version, a hash of all files, and their names. A new version is fetched as a
// whole beside the old one, and takes over when the page is next opened or loaded again; so
// a page never runs on files of two versions.

const VERSION = "";
const FILES = [];

const OURS = `playground ${registration.scope} `; // other pages of this address have other caches
const NAME = OURS + VERSION;
const AGAIN = `<script>
  const again = () => location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", again);
  setTimeout(again, 1000); // the new version may have taken over before the line above
</script>`;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) {
    event.respondWith(mode === "navigate" ? opened(event.request) : kept(event.request));
  }
});

async function fill() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== NAME) await caches.delete(name);
  }
}

/** The page. If a new version waits and no other page runs on the old one, the new one takes over first. */
async function opened(request) {
  const { waiting } = registration;
  if (waiting && (await clients.matchAll()).length < 2) {
    waiting.postMessage("take over");
    return new Response(AGAIN, { headers: { "Content-Type": "text/html" } });
  }
  return kept(request);
}

addEventListener("message", ({ data }) => {
  if (data === "take over") skipWaiting();
});

async function kept(request) {
  const cache = await caches.open(NAME);
  const page = request.url.replace(/index\.html(?=$|[?#])/, "");
  return (await cache.match(page, { ignoreSearch: true })) ?? fetch(request);
}
