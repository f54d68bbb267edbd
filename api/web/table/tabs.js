// Tabs as in the ARIA authoring practices: a single tab is in the tab order, arrow keys move between them, and the panel of the
// selected tab is shown.

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export class Tabs {
  // `list`: the element with the tabs, each of which controls a panel; `shown(id)` is called with the panel that is shown.
  constructor(list, shown) {
    this.tabs = [...list.querySelectorAll("[role=tab]")];
    this.shown = shown;
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.choose(tab));
      tab.disabled = false; // a tap before this would be lost
    }
    list.addEventListener("keydown", (event) => this.pressed(event));
  }

  // Show the panel with this id.
  show(id) {
    this.choose(this.tabs.find((tab) => tab.getAttribute("aria-controls") === id));
  }

  choose(chosen) {
    for (const tab of this.tabs) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !on;
    }
    this.shown(chosen.getAttribute("aria-controls"));
  }

  pressed(event) {
    const at = this.tabs.indexOf(document.activeElement);
    const ends = { Home: 0, End: this.tabs.length - 1 };
    const to = event.key in STEPS ? (at + STEPS[event.key] + this.tabs.length) % this.tabs.length : ends[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(this.tabs[to]);
    this.tabs[to].focus();
  }
}
