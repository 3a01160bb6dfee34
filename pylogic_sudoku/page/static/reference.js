// Shows openapi.json as a readable page.

import { $, part } from "./elements.js";

const document_ = await (await fetch("openapi.json")).json();
const { schemas } = document_.components;
const named = (schema) => schemas[schema.$ref.split("/").pop()];

function kind(schema) {
  if (schema.$ref) return named(schema).enum ? named(schema).enum.join(" | ") : shape(schema);
  if (schema.anyOf) return schema.anyOf.map(kind).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.prefixItems) return `[${schema.prefixItems.map(kind).join(", ")}]`;
  if (schema.type === "array") return `[${kind(schema.items ?? {})} …]`;
  return schema.type ?? "any";
}

const shape = (schema) =>
  `{ ${Object.entries(named(schema).properties).map(([name, each]) => `${name}: ${kind(each)}`).join(", ")} }`;

function field([name, schema], required) {
  const bounds = [
    ["from", schema.minimum],
    ["over", schema.exclusiveMinimum],
    ["to", schema.maximum],
    ["default", schema.default],
  ].filter(([, value]) => value !== undefined && value !== null);
  const facts = [kind(schema), ...bounds.map(([word, value]) => `${word} ${value}`)];
  if (required) facts.push("required");
  const text = [facts.join("; "), schema.description].filter(Boolean).join(". ");
  return [part("dt", {}, part("code", {}, name)), part("dd", {}, text)];
}

function example(path, schema) {
  const body = Object.entries(schema.properties)
    .filter(([name]) => name === "puzzle" || schema.required?.includes(name))
    .map(([name, { examples }]) => [name, examples?.[0] ?? 1]);
  const json = JSON.stringify(Object.fromEntries(body));
  const { origin } = location;
  return `curl ${origin}${path} -H 'Content-Type: application/json' -d '${json}'`;
}

function section(path, method, operation) {
  const asked = operation.requestBody?.content["application/json"].schema;
  const answer = operation.responses["200"].content["application/json"].schema;
  const fields = asked ? named(asked) : { properties: {} };
  const listed = Object.entries(fields.properties).flatMap((each) => field(each, fields.required?.includes(each[0])));
  return part(
    "section",
    { className: "card" },
    part("h2", {}, part("code", {}, `${method.toUpperCase()} ${path}`)),
    part("p", {}, operation.description ?? operation.summary),
    part("dl", {}, ...listed),
    part("p", {}, "Answer: ", part("code", {}, shape(answer))),
    part("pre", { tabIndex: 0 }, asked ? example(path, fields) : `curl ${location.origin}${path}`),
  );
}

$("operations").append(
  ...Object.entries(document_.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(path, method, operation)),
  ),
);
