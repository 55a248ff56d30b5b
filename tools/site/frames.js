// Give each live picture the height that it needs. From a disk, a browser does not let a page look into
// its frames: there, they keep the height that they were given.
for (const frame of document.querySelectorAll("iframe.live")) {
  frame.addEventListener("load", () => {
    const page = frame.contentDocument?.documentElement
    if (!page) return
    const fit = () => {
      frame.height = Math.ceil(page.querySelector("body").getBoundingClientRect().height)
    }
    new ResizeObserver(fit).observe(page.querySelector("body"))
    fit()
  })
}
