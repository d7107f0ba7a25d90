// What the page does beside the app: undo, the share dialog, telling of a result that changed, working offline.

const root = document.documentElement;
const isFramed = window.parent !== window;

/** Tells the reader something, with something to do about it. */
function tell(text, label, act) {
  const notice = document.createElement("div");
  notice.className = "notice toast";
  notice.setAttribute("role", "status");
  const button = (label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button";
    made.textContent = label;
    made.addEventListener("click", () => {
      notice.remove();
      act();
    });
    return made;
  };
  notice.append(text, " ");
  if (label) notice.append(button(label, act));
  notice.append(button("Close", () => {}));
  document.body.append(notice);
}

const share = () => import("./share.js");

/** The dialog is loaded when it is first asked for. */
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-share]")) share().then((dialog) => dialog.open());
});

/** Undo is the browser's back, redo its forward, but never out of the page: the app counts its entries. */
let last = history.state ?? 0;
const push = history.pushState;
history.pushState = (count, ...rest) => push.call(history, (last = count), ...rest);
document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const types = event.target.closest?.("textarea, select, input:not([type=range]):not([type=checkbox])");
  if (isFramed || types || event.altKey || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
  event.preventDefault();
  const at = history.state ?? 0;
  if (key === "y" || event.shiftKey) {
    if (at < last) history.forward();
  } else if (at > 0) history.back();
});

/** A link may say what its author saw. */
async function compare() {
  const { search, hash } = location;
  const [, promised] = [hash, search].map((part) => /[#?&]h=([0-9a-f]{8})(?:&|$)/i.exec(part)).find(Boolean) ?? [];
  if (!promised) return;
  const { digest, build } = await share();
  const found = await digest(search + hash);
  if (found && found !== promised.toLowerCase()) {
    tell(`This link gave another result when it was made (digest ${promised}; build ${build} computes ${found}). What you see is what this build computes.`);
  }
}
compare();
addEventListener("hashchange", compare);

/** Everything of one version is kept together. A new one waits until the reader takes it. */
async function workOffline() {
  const registration = await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" });
  const offer = (worker) => {
    if (worker?.state !== "installed" || !navigator.serviceWorker.controller) return;
    tell("A new version of Slabscope is here.", "Reload", () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
      worker.postMessage("take over");
    });
  };
  const watch = (worker) => worker?.addEventListener("statechange", () => offer(worker));
  offer(registration.waiting);
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}

/** Developers who serve a build would otherwise look at the one before. */
function isWanted() {
  try {
    return !/^(localhost|127\.|\[::1\])/.test(location.hostname) || localStorage.getItem("slabscope-offline") === "yes";
  } catch {
    return false;
  }
}

if (!isFramed && root.dataset.mode !== "embed" && "serviceWorker" in navigator && isWanted()) {
  const later = () => setTimeout(() => workOffline().catch(() => {}), 2000);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
