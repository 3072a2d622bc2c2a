// In the page's own world, which outlives the extension. Firefox ends our other scripts without a word when the extension
// is updated, switched off or removed under an open page: what they have left is taken away here, so that nothing stays
// hidden without a way to open it. Chromium lets them do it themselves; there nothing is left.

(() => {
  const PRESENCE = "thinkfold-here"; // the animation that thinkfold.css gives to what is there while we run
  const OWN = ["box", "strip", "think", "answer", "live"].map((name) => `[data-thinkfold-${name}]`).join();

  function clear() {
    for (const element of document.querySelectorAll(OWN)) element.remove();
    for (const element of document.querySelectorAll("*")) {
      const marks = element.getAttributeNames().filter((name) => name.startsWith("data-thinkfold"));
      if (marks.includes("data-thinkfold-findable")) element.removeAttribute("hidden");
      for (const mark of marks) element.removeAttribute(mark);
      if (!/anchor-name|--thinkfold/.test(element.getAttribute("style"))) continue;
      element.style.removeProperty("anchor-name");
      element.style.removeProperty("--thinkfold-font");
      if (!element.getAttribute("style")) element.removeAttribute("style");
    }
  }

  // Without our stylesheet there is no such animation any more: that is how the end of the extension shows.
  document.addEventListener("animationcancel", ({ animationName }) => {
    const { animationName: present } = getComputedStyle(document.querySelector("[data-thinkfold-live]") ?? document.body);
    if (animationName === PRESENCE && present !== PRESENCE) clear();
  });
  document.addEventListener("thinkfold-clear", clear); // a new script is about to begin
})();
