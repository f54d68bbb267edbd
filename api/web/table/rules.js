// A field for every option of a game, with what the rule text says about it.

import { number, t, told } from "/web/words.js";
import { element } from "../shapes.js";

export const ruleFields = (options) => options.map((option) => FIELDS[option.kind](option));

// The options that differ from their default, as `name=value`; and the option that one of them would replace, which counts only
// if it is named, too.
export function changedRules(place) {
  const fields = [...place.querySelectorAll("[data-rule]")].map((field) => ({ ...field.dataset, value: valueOf(field) }));
  const changed = fields.filter(({ value, usual }) => value !== usual);
  const replaced = changed.map(({ insteadOf }) => insteadOf);
  return fields
    .filter((field) => changed.includes(field) || replaced.includes(field.rule))
    .map(({ rule, value }) => `${rule}=${value}`);
}

// Set every option to its usual value, except for these `name=value` texts.
export function setRules(place, texts) {
  const wanted = new Map(texts.map((text) => text.split(/=(.*)/s).slice(0, 2)));
  for (const field of place.querySelectorAll("[data-rule]")) setField(field, wanted.get(field.dataset.rule) ?? field.dataset.usual);
}

function setField(field, value) {
  if (field.type === "checkbox") field.checked = value === "true";
  else if (field.tagName !== "FIELDSET") field.value = value;
  else for (const box of field.querySelectorAll("input")) box.checked = value === "all" || value.split(",").includes(box.value);
}

// Whether these options are the ones set now.
export const areSet = (place, texts) => changedRules(place).sort().join(" ") === [...texts].sort().join(" ");

const FIELDS = { switch: switchField, number: numberField, numbers: textField, choice: choiceField, set: boxesField };

export const plain = (name) => {
  const words = told(name.replaceAll("_", " ").replaceAll("-", " "));
  return words[0].toUpperCase() + words.slice(1);
};
const marks = ({ name, usual }) => ({ "data-rule": name, "data-usual": usual });

function row(option, field, kind = "") {
  const label = element("label", {}, element("span", {}, plain(option.name)), field);
  return element("div", { class: `rule ${kind}`.trim() }, label, element("p", { class: "hint" }, told(option.says)));
}

function switchField(option) {
  const box = element("input", { type: "checkbox", role: "switch", ...marks(option) });
  box.checked = option.usual === "true";
  return row(option, box, "switch");
}

function numberField(option) {
  const { low: min, high: max, usual: value } = option;
  const field = element("input", { type: "number", min, max, value, inputmode: "numeric", required: "", ...marks(option) });
  if (option.instead_of) {
    field.dataset.insteadOf = option.instead_of;
    let before = value;
    field.addEventListener("focus", () => (before = field.value)); // a preset may have changed it
    field.addEventListener("input", () => (before = replaced(field, before)));
  }
  const made = row(option, field);
  made.querySelector(".hint").append(` ${t("start.range", { low: number(min), high: number(max) })}`);
  return made;
}

// While a number is set, the one that it replaces is visibly off, unless somebody has set that, too.
function replaced(field, before) {
  const other = document.querySelector(`[data-rule="${field.dataset.insteadOf}"]`);
  const [isSet, wasSet] = [field.value, before].map((text) => Number(text) > 0);
  if (isSet && !wasSet && other.value === other.dataset.usual) other.value = other.min;
  if (wasSet && !isSet && other.value === other.min) other.value = other.dataset.usual;
  return field.value;
}

function textField(option) {
  return row(option, element("input", { value: option.usual, title: option.values, ...marks(option) }));
}

function choiceField(option) {
  const choices = option.words.map((word) => element("option", { value: word }, plain(word)));
  const field = element("select", marks(option), ...choices);
  field.value = option.usual;
  return row(option, field);
}

function boxesField(option) {
  const boxes = option.words.map((word) => {
    const box = element("input", { type: "checkbox", value: word });
    return element("label", {}, element("span", {}, plain(word)), box);
  });
  const group = element("fieldset", marks(option), element("legend", {}, plain(option.name)), ...boxes);
  return element("div", { class: "rule switch" }, group, element("p", { class: "hint" }, told(option.says)));
}

function valueOf(field) {
  if (field.type === "checkbox") return String(field.checked);
  if (field.tagName !== "FIELDSET") return field.value.trim();
  return [...field.querySelectorAll("input:checked")].map((box) => box.value).sort().join(",") || "none";
}
