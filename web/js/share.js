// The share dialog, loaded when it is first opened: link, embedding, and everything that can be taken away.
//
// What is exported is computed in a worker, from the link and from the documents that other workers sent to the page;
// small tables that only the page has are read from it and go through the same formatter.

const root = document.documentElement;
const app = () => document.querySelector(".app[data-fragment]");
const page = () => location.href.split(/[?#]/)[0].replace("embed.html", "");

/** Version and digest of the built files. */
export const build = root.dataset.build;

let worker;
const waiting = new Map();
let asked = 0;

/** Asks the exporter; what it gives is a text. */
function ask(...request) {
  worker ??= new Promise((ready, fail) => {
    const made = new Worker(new URL(`${root.dataset.workers}slabscope-exporter_loader.js`, document.baseURI), { type: "module" });
    made.onerror = () => {
      worker = undefined;
      waiting.forEach(({ fail }) => fail(new Error("The exporter stopped")));
      waiting.clear();
      fail(new Error("The exporter does not start"));
    };
    made.onmessage = ({ data }) => {
      if (data === "ready") return ready(made);
      const [id, worked, text] = data;
      const answer = waiting.get(id);
      waiting.delete(id);
      if (worked) answer?.done(text);
      else answer?.fail(new Error(text));
    };
  });
  return worker.then((port) => new Promise((done, fail) => {
    waiting.set(++asked, { done, fail });
    port.postMessage([asked, ...request]);
  }));
}

/** The digest of what a link shows; empty for a view that has none. */
export const digest = (link) => ask("digest", link, "", "").catch(() => "");

/** An element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Saves a file and gives its name. That has the build, for texts that must equal what a program prints and have no place for it. */
function save(name, content, type) {
  const href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const download = `slabscope-${build}-${name}`;
  make("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  return download;
}

/** Where a lone SVG is drawn, and the picture that comes of it. */
async function drawn(svg) {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await picture.decode();
  return picture;
}

/** A picture with its caption and link below, as PNG. */
async function png(picture, width, height, scale, lines) {
  const style = getComputedStyle(root);
  const [margin, line] = [12, 16];
  const canvas = make("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round((height + margin + line * lines.length) * scale);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.fillStyle = style.getPropertyValue("--paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, width, height);
  context.font = "11px sans-serif";
  context.fillStyle = style.getPropertyValue("--ink-2");
  lines.forEach((text, row) => context.fillText(text, margin, height + margin + line * row + 4, width - 2 * margin));
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Documents of the page as their workers sent them: the app keeps the last of each under the name of its script. */
const documents = () => [...document.querySelectorAll("main [data-from]")].map((part) => window[part.dataset.from]).filter(Boolean);

/** Waits until nothing is being worked out any more. */
async function settled() {
  while (document.querySelector("main .document [role=status] progress")) await new Promise((done) => setTimeout(done, 100));
}

/** Tables that are on the page only: title, and text (caption, columns and rows). Folded ones are read too. */
async function tables() {
  const folded = [...document.querySelectorAll(".app details:not([open])")].filter((one) => !one.closest("[data-from]"));
  folded.forEach((one) => (one.open = true));
  await new Promise((done) => setTimeout(done, 100));
  const text = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
  const title = (table) => {
    const part = table.closest("section, [role=group]");
    return part?.getAttribute("aria-label") ?? part?.querySelector("h2, h3")?.textContent ?? table.caption?.textContent ?? "Table";
  };
  const row = (row) => [...row.cells].flatMap((cell) => [text(cell), ...Array(cell.colSpan - 1).fill("")]).join("\t");
  const found = [...document.querySelectorAll(".app table")]
    .filter((table) => table.tHead && table.tBodies[0]?.rows.length && !table.closest("[data-from], .classes"))
    .map((table) => ({ title: title(table), text: [title(table), ...[...table.rows].map(row)].join("\n") }));
  folded.forEach((one) => (one.open = false));
  return found;
}

/** A title as the name of a file. */
const fileName = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || "table";

/** Canvases of the page that show something and are in no file: those that a worker draws. */
function canvases() {
  return [...document.querySelectorAll("main canvas[role=img]")].filter((canvas) => canvas.width > 1 && canvas.getBoundingClientRect().height > 1);
}

const TYPES = { svg: "image/svg+xml", csv: "text/csv", json: "application/json", html: "text/html" };

/** Everything that can be taken away: what it is of, and for each of its forms a label and what the button does. */
async function takeaways(fragment, link, say) {
  await settled();
  const shown = documents();
  const theme = getComputedStyle(root).colorScheme;
  const caption = document.querySelector(".say")?.textContent ?? "";
  const file = document.querySelector(".intake + .section h2")?.textContent ?? "";
  const store = (name, text) => say(`Saved ${save(name, text, TYPES[name.split(".").pop()] ?? "text/plain")}`);
  const copy = (title, text) => navigator.clipboard.writeText(text).then(
    () => say(`Copied ${title} as text for mail`),
    () => say("The browser does not allow copying"),
  );
  const lines = [caption, link, file && `Read from ${file}`, `Slabscope ${build}`].filter(Boolean);
  const about = [build, theme, caption, file].map((line) => line.replaceAll("\n", " ")).join("\n");
  const found = new Map();
  const add = (stem, title, label, act) => {
    if (!found.has(stem)) found.set(stem, [title]);
    found.get(stem).push([label, act]);
  };
  for (const row of (await ask("list", fragment, "", "", shown)).split("\n").filter(Boolean)) {
    const [name, title, form] = row.split("\t");
    const stem = name.split(".")[0];
    const text = () => ask(name, fragment, link, about, shown);
    add(stem, title, form, () => text().then((text) => store(name, text)));
    if (form === "Text for mail") add(stem, title, "Copy for mail", () => text().then((text) => copy(title, text)));
    if (form === "SVG") {
      for (const scale of [1, 2]) {
        add(stem, title, `PNG ${scale}\u00d7`, async () => {
          const picture = await drawn(await text());
          const content = await png(picture, picture.naturalWidth, picture.naturalHeight, scale, lines);
          store(name.replace(".svg", `-${scale}x.png`), content);
        });
      }
    }
  }
  // The map of a pool is drawn from no link alone: it is taken as it is on screen.
  if (/(^|&)view=pool/.test(fragment)) {
    for (const canvas of canvases()) {
      const label = canvas.closest(".map-frame") ? "Map" : canvas.getAttribute("aria-label").split(/[:,.]/)[0];
      add(fileName(label), label, "PNG as on screen", async () => {
        const { width, height } = canvas.getBoundingClientRect();
        store(`${fileName(label)}.png`, await png(canvas, width, height, devicePixelRatio, lines));
      });
    }
  }
  for (const { title, text } of await tables()) {
    const stem = fileName(title);
    // What the exporter gives in full need not be read from the page.
    if (found.has(stem)) continue;
    const written = (form) => ask(`format.${form}`, text, link, about);
    for (const [form, label] of [["txt", "Text for mail"], ["csv", "CSV"], ["json", "JSON"]]) {
      add(stem, title, label, () => written(form).then((text) => store(`${stem}.${form}`, text)));
    }
    add(stem, title, "Copy for mail", () => written("txt").then((text) => copy(title, text)));
  }
  return [...found.values()];
}

/** A button that copies a text and says so. */
function copier(label, text, say) {
  return make("button", {
    type: "button",
    class: "button",
    click: () => navigator.clipboard?.writeText(text()).then(() => say(`${label}: done`), () => say("The browser does not allow copying"))
      ?? say("The browser does not allow copying"),
  }, label);
}

function choice(label, options, changed) {
  const list = make("select", { class: "input", change: changed }, ...options.map(([value, text]) => make("option", { value }, text)));
  return [make("label", {}, `${label} `, list), () => list.value];
}

/** Opens the dialog on what is shown now. */
export async function open() {
  // Loaded here, since nothing else needs it.
  if (!document.querySelector("link[data-share-style]")) {
    document.head.append(make("link", { rel: "stylesheet", href: "./share.css", "data-share-style": true }));
  }
  const fragment = app().dataset.fragment.replace(/&h=[^&]*/, "");
  const link = make("output", { class: "share-link mono", tabindex: "0" }, `${page()}#${fragment}`);
  const says = make("p", { class: "fine", role: "status" });
  const say = (text) => (says.textContent = text);
  const snippet = make("pre", { class: "mono", tabindex: "0" });
  const preview = make("iframe", { title: "Preview of the figure", loading: "lazy" });
  const lock = make("input", { type: "checkbox", change: () => show() });
  const [ui, uiNow] = choice("Shows", [["controls", "picture and controls"], ["min", "picture only"], ["full", "everything"]], () => show());
  const [theme, themeNow] = choice("Colours", [["", "the reader's"], ["light", "light"], ["dark", "dark"]], () => show());
  const show = () => {
    const plain = fragment.replace(/&(ui|theme|lock)=[^&]*/g, "");
    const extra = [["ui", uiNow() === "controls" ? "" : uiNow()], ["theme", themeNow()], ["lock", lock.checked ? "a,seed" : ""]].filter(([, value]) => value);
    const attributes = extra.map(([name, value]) => ` ${name}="${value}"`).join("");
    const quoted = plain.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    snippet.textContent = `<script async src="${new URL("embed.js", page())}"></script>\n<slab-scope scenario="${quoted}"${attributes}></slab-scope>`;
    preview.src = `./embed.html#${[plain, ...extra.map((pair) => pair.join("="))].join("&")}`;
  };
  const away = make("div", { class: "share-files" }, make("span", { class: "dim" }, "Working it out\u2026"));
  const dialog = make("dialog", { class: "share", "aria-labelledby": "share-title", close: () => dialog.remove() },
    make("header", { class: "head" }, make("h2", { id: "share-title" }, "Share this state"),
      make("button", { type: "button", class: "button", click: () => dialog.close() }, "Close")),
    make("section", {}, make("h3", {}, "Link"), link,
      make("p", { class: "tools" }, copier("Copy link", () => link.textContent, say),
        make("span", { class: "fine" }, "Only what differs from the defaults; no server holds it."))),
    make("section", { class: "share-embed" },
      make("div", {}, make("h3", {}, "Embed"), make("p", { class: "tools" }, ui, theme, make("label", {}, lock, " Allocator and seed stay fixed")),
        snippet, make("p", { class: "tools" }, copier("Copy snippet", () => snippet.textContent, say))),
      preview),
    make("section", {}, make("h3", {}, "Take away"), away, says));
  document.body.append(dialog);
  dialog.showModal();
  show();
  const result = await digest(fragment);
  if (result) link.textContent = `${page()}#${fragment}&h=${result}`;
  try {
    const files = await takeaways(fragment, link.textContent, say);
    const button = (title, [label, act]) => make("button", {
      type: "button",
      class: "button",
      "aria-label": `${label}: ${title}`,
      click: () => Promise.resolve(act()).catch((error) => say(error.message)),
    }, label);
    away.replaceChildren(...files.map(([title, ...forms]) => make("div", { role: "group", "aria-label": title },
      make("span", {}, title), ...forms.map((form) => button(title, form)))));
  } catch (error) {
    away.replaceChildren(error.message);
  }
}
