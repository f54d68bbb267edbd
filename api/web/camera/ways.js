// The ways to a camera, with the links of this game in them.

import * as link from "../table/link.js";

const id = link.idInAddress();
const token = link.tokenInAddress() ?? link.game(id).camera ?? link.token(id);
document.getElementById("command").textContent = `muggins watch CAMERA --serve '${link.linkTo(id, token ?? "TOKEN")}'`;
document.getElementById("game").href = `/table/${encodeURIComponent(id)}`;
document.getElementById(/iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? "iphone" : "android").open = true;
