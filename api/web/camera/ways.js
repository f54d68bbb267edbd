// How to use a camera, with the links of this game; at /camera/ways there is no game yet.

import * as link from "../table/link.js";

if (location.pathname === "/camera/ways") {
  command("LINK");
  for (const part of ["which-link", "photo-new"]) document.getElementById(part).hidden = false;
  document.getElementById("photo-how").hidden = true;
} else {
  const id = link.idInAddress();
  const token = link.tokenInAddress() ?? link.game(id).camera ?? link.token(id);
  command(link.linkTo(id, token ?? "TOKEN"));
  document.getElementById("game").href = `/table/${encodeURIComponent(id)}`;
}

function command(url) {
  document.getElementById("command").textContent = `muggins watch CAMERA --serve '${url}'`;
}

document.getElementById(/iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? "iphone" : "android").open = true;
