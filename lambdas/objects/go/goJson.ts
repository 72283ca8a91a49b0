/** A value as JSON as Go writes it: fit to stand in HTML. For texts that are compared with those of Kubernetes, such as a text within another JSON. Pure. */
export function goJson(value: unknown): string {
  return escapeForHtml(JSON.stringify(value));
}

/** Escapes what HTML would read. */
export function escapeForHtml(json: string): string {
  return json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
