// A new game that this phone films: the same form, with another button.

import { t } from "/web/words.js";
import { element } from "../shapes.js";

const form = document.getElementById("new");
const film = element("button", { type: "button", id: "film" }, t("film.this-phone"));
film.addEventListener("click", () => {
  sessionStorage.setItem("muggins.film", "yes"); // the page of the game sends on to the camera
  form.requestSubmit();
});
document.getElementById("begin").after(film);
