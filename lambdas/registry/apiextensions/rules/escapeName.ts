/** Words that are no names in CEL. */
const RESERVED = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    ' ',
  ),
);

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Returns the name by which CEL knows a property: `foo-bar` is `foo__dash__bar`. `undefined` for a property that CEL cannot name. Follows upstream's `cel.Escape`. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (part) => ESCAPES[part] ?? part);
}

/** True for a word that can follow a dot, although it cannot stand alone: `self.namespace`. */
export function canBeSelected(name: string): boolean {
  return RESERVED.has(name) && !['true', 'false', 'null', 'in'].includes(name);
}

const UNESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Returns the property that an escaped name means; `undefined` for a name that `escapeName` never makes. */
export function unescapeName(escaped: string): string | undefined {
  let isValid = true;
  const name = escaped.replace(/__([^_]+)__/g, (part, content: string) => {
    const character = UNESCAPES[content];
    if (character !== undefined) return character;
    isValid &&= RESERVED.has(content) && part === escaped;
    return content;
  });
  return isValid ? name : undefined;
}
