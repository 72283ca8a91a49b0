/** `spec` and `replicas` make `spec.replicas`; at the root, only the name. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path of a map's value: `spec.labels[app]`. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}

/** The path of a list's item: `spec.ports[0]`. */
export function indexPath(path: string, index: number): string {
  return `${path}[${index}]`;
}
