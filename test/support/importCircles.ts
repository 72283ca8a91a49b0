/** Returns each circle of imports that the walk meets, as the way round it: `a.ts → b.ts → a.ts`. No circle is left if it returns none. Pure. */
export function importCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || left.has(file)) return;
    for (const imported of imports.get(file) ?? []) walk(imported, [...way, file]);
    left.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}
