// A new game that this phone films: the form of the start page, with another button.

import { t } from "/web/words.js";
import { element } from "../shapes.js";

const form = document.getElementById("new");
const film = element("button", { type: "submit", id: "film" }, t("film.this-phone"));
const insecure = element("p", { class: "alert", role: "alert" });
let filmed = false; // whether this button started the game

form.addEventListener("submit", ({ submitter }) => (filmed = submitter === film));
// Only once the game is created: a refused one must not affect the next.
document.addEventListener("muggins:begun", () => {
  if (filmed) sessionStorage.setItem("muggins.film", "yes"); // the page of the game redirects to the camera
});
// Where the browser allows no camera, the alternatives are shown before a game is created.
film.addEventListener("click", (event) => {
  if (isSecureContext && navigator.mediaDevices?.getUserMedia) return;
  event.preventDefault();
  insecure.replaceChildren(t("film.insecure"), " ", element("a", { href: "/camera/ways" }, t("film.ways")));
  insecure.hidden = false;
});
insecure.hidden = true;
document.getElementById("begin").before(insecure);
document.getElementById("begin").after(film);
