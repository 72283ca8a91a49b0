/** The lines of the report by check: kind and message. */
export function linesOf(report: string): Readonly<Record<string, string>> {
  const lines = [...report.matchAll(/^(ok|advice|wrong|unchecked) +(\S+(?: \S+)*?) {2,}(.+)$/gm)];
  return Object.fromEntries(lines.map(([, kind = '', check = '', message = '']) => [check, `${kind}: ${message}`]));
}
