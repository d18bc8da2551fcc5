/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search without a server. Browsers start no worker for pages that were opened as files, so the worker's script runs in a
 * hidden frame of the page. The theme looks for the name IFrameWorker.
 */
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.appendChild(this.frame)
      const inside = this.frame.contentWindow
      const load = source => new Promise((done, failed) => {
        const script = inside.document.createElement("script")
        script.onload = done
        script.onerror = () => failed(new Error(source))
        script.src = source
        inside.document.body.appendChild(script)
      })
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        if (this.onmessage) this.onmessage(event)
      }
      inside.importScripts = (...sources) => sources.reduce((before, s) => before.then(() => load(s)), Promise.resolve())
      this.ready = load(new URL(url, document.baseURI).href)
    }

    postMessage(data) {
      const inside = this.frame.contentWindow
      this.ready.then(() => inside.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate() {
      this.frame.remove()
    }
  }
  window.Worker = window.IFrameWorker
}
