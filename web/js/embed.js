// <slab-scope scenario="view=pool&mp=4"></slab-scope>: a figure of Slabscope in any page.
(() => {
  if (customElements.get("slab-scope")) return;
  const self = document.currentScript ?? document.querySelector('script[src$="embed.js"]');
  const base = new URL(".", self?.src ?? location.href).href;
  // A figure that asks for more than this has a fault of its own.
  const HIGHEST = 5000, FIRST = 560;

  class SlabScope extends HTMLElement {
    static observedAttributes = ["scenario", "view", "ui", "theme", "lock", "height"];
    #frame;
    #ready = false;
    #shown;
    #hear = (event) => this.#take(event);

    connectedCallback() {
      addEventListener("message", this.#hear);
      const frame = document.createElement("iframe");
      frame.title = this.getAttribute("title") ?? "Slabscope figure";
      frame.loading = "lazy";
      frame.allow = "clipboard-write";
      this.#shown = this.fragment;
      frame.src = `${new URL(this.getAttribute("src") ?? "embed.html", base)}#${this.#shown}`;
      Object.assign(frame.style, { display: "block", width: "100%", border: "0" });
      this.#frame = frame;
      this.#fit(FIRST);
      this.replaceChildren(frame);
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      this.#ready = false;
      this.#frame?.remove();
    }

    attributeChangedCallback(name) {
      if (name === "height") this.#fit(FIRST);
      else this.#show();
    }

    /** The link of the attributes, without the #. */
    get fragment() {
      const scenario = (this.getAttribute("scenario") ?? "").replace(/^#/, "");
      const rest = ["view", "ui", "theme", "lock"]
        .filter((name) => this.hasAttribute(name) && !new RegExp(`(^|&)${name}=`).test(scenario))
        .map((name) => `${name}=${encodeURIComponent(this.getAttribute(name))}`);
      return [scenario || "v=1", ...rest].join("&");
    }

    /** What the attributes say now. A figure that has not begun yet is told when it has. */
    #show() {
      if (!this.#ready || this.#shown === this.fragment) return;
      this.#shown = this.fragment;
      this.send("set", { fragment: this.#shown });
    }

    /** Asks the figure for something; what it answers comes as an event "slabscope". */
    send(type, fields = {}) {
      if (!this.#frame) return;
      const origin = new URL(this.#frame.src).origin;
      this.#frame.contentWindow?.postMessage({ ...fields, source: "slabscope", v: 1, type }, origin);
    }

    #take({ source, data }) {
      if (!this.#frame || source !== this.#frame.contentWindow) return;
      if (data?.source !== "slabscope" || data.v !== 1) return;
      if (data.type === "ready") {
        this.#ready = true;
        this.send("ping");
        this.#show();
      }
      if (data.type === "height" && Number.isFinite(data.height)) this.#fit(data.height);
      this.dispatchEvent(new CustomEvent("slabscope", { detail: data }));
    }

    #fit(height) {
      if (!this.#frame) return;
      const fixed = parseInt(this.getAttribute("height"), 10);
      this.#frame.style.height = `${Math.min(fixed || height, HIGHEST)}px`;
    }
  }

  customElements.define("slab-scope", SlabScope);
})();
