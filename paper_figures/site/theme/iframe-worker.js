"use strict";
/* A browser starts no worker from a page that is opened as a file: the search then runs in a hidden frame. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      const inner = frame.contentWindow;
      const base = new URL(url, location.href);
      const load = address => new Promise((done, failed) => {
        const script = frame.contentDocument.createElement("script");
        script.src = new URL(address, base).href;
        script.onload = done;
        script.onerror = failed;
        frame.contentDocument.body.append(script);
      });
      inner.importScripts = (...addresses) => addresses.reduce((before, one) => before.then(() => load(one)), Promise.resolve());
      inner.postMessage = data => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.inner = inner;
      this.ready = load(base);
    }
    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
