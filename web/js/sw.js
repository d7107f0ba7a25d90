// Keeps the files of one version, all or none, and answers with them. Made from the built files.

const BUILD = "@BUILD@";
const PAGE = "@PAGE@";
const FILES = [/*@FILES@*/];

// Other builds, and other copies of the page on the same server, have names of their own.
const PREFIX = `slabscope ${registration.scope} `;
const CACHE = PREFIX + BUILD;
const OWN = new Map(FILES.map((file) => [new URL(file, registration.scope).href, file]));
OWN.set(registration.scope, "index.html");

self.addEventListener("install", (event) => {
  const keep = async (cache, file) => {
    const answer = await fetch(new URL(file, registration.scope), { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    // Pages have the same name in every build, and while a new one is put there a server may still have the old one.
    if (file.endsWith(".html") && !(await answer.clone().text()).includes(`data-build="${PAGE}"`)) {
      throw new Error(`${file} is of another build`);
    }
    // Some hosts answer for index.html with a redirection; browsers refuse such an answer when a page is asked for.
    const kept = answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;
    await cache.put(new URL(file, registration.scope), kept);
  };
  const keepAll = async () => {
    try {
      const cache = await caches.open(CACHE);
      await Promise.all(FILES.map((file) => keep(cache, file)));
    } catch (error) {
      await caches.delete(CACHE);
      throw error;
    }
  };
  event.waitUntil(keepAll());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  };
  event.waitUntil(clean());
});

// The page asks for it when its reader does.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  address.hash = "";
  address.search = "";
  const file = request.method === "GET" ? OWN.get(address.href) : undefined;
  if (file === undefined) return;
  const answer = async () => {
    const kept = await (await caches.open(CACHE)).match(new URL(file, registration.scope));
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
