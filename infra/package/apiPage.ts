import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** What the package exports, and the module of each name that is imported. */
const ENTRIES = [
  ['driftless-k8s', 'infra/testCluster/startCluster.ts'],
  ['driftless-k8s/vitest', 'infra/testCluster/runners/vitest.ts'],
  ['driftless-k8s/jest', 'infra/testCluster/runners/jest.ts'],
] as const;

/** A part of a syntax tree, of which only the place in the text and a few fields are read. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** An exported declaration, with the text of its module. */
interface Declared {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly module: ParsedModule;
}

interface ParsedModule {
  readonly path: string;
  readonly text: string;
  readonly body: readonly SyntaxNode[];
  /** The text of each docstring, by the place where it ends. */
  readonly docs: ReadonlyMap<number, string>;
}

/** Returns the page of the package's API as Markdown, made from the declarations that it exports and their docstrings. */
export function apiPage(): string {
  const shown = new Set<string>();
  const sections = ENTRIES.map(([name, path]) => {
    const fresh = exportsOf(parseModule(path)).filter((one) => {
      const key = `${one.module.path}#${one.name}`;
      const isFresh = !shown.has(key);
      shown.add(key);
      return isFresh;
    });
    return `## ${name}\n\n${fresh.map(declarationSection).join('\n')}`;
  });
  return `# The API of the package\n\nMade by \`npm run api-page\` from the docstrings in the sources.\n\n${sections.join('\n')}`;
}

function parseModule(path: string): ParsedModule {
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, text);
  const docs = comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, end }): [number, string] => [end, docText(value)]);
  return { path, text, body: program.body as unknown as readonly SyntaxNode[], docs: new Map(docs) };
}

/** The lines of a docstring without their stars. */
function docText(comment: string): string {
  return comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** The declarations that a module exports, its own and those of other modules. */
function exportsOf(module: ParsedModule): readonly Declared[] {
  return module.body
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((node) => {
      const { declaration, source, specifiers } = node as SyntaxNode & {
        readonly declaration: (SyntaxNode & { readonly id?: { readonly name: string } }) | null;
        readonly source: { readonly value: string } | null;
        readonly specifiers: readonly { readonly local: { readonly name: string } }[];
      };
      if (declaration?.id)
        return [
          {
            name: declaration.id.name,
            node: declaration,
            module: { ...module, docs: docsAt(module, node, declaration) },
          },
        ];
      if (source === null) return [];
      const names = specifiers.map(({ local }) => local.name);
      const others = exportsOf(parseModule(join(dirname(module.path), source.value)));
      return others.filter(({ name }) => names.includes(name));
    });
}

/** The docstring of `export interface A` stands before `export`. */
function docsAt({ docs, text }: ParsedModule, exported: SyntaxNode, declared: SyntaxNode): ReadonlyMap<number, string> {
  const doc = docBefore(docs, text, exported.start);
  return doc === undefined ? docs : new Map([...docs, [declared.start, doc]]);
}

function docBefore(docs: ReadonlyMap<number, string>, text: string, start: number): string | undefined {
  return docs.get(start) ?? docs.get(text.slice(0, start).trimEnd().length);
}

function declarationSection({ name, node, module }: Declared): string {
  const { docs, text } = module;
  const doc = docBefore(docs, text, node.start) ?? '';
  const members = node.type === 'TSInterfaceDeclaration' ? membersOf(node) : [];
  const rows = members.map((member) => memberRow(member, module));
  const parts = [`### ${name}`, doc, ...(members.length > 0 ? [rows.join('\n')] : [code(signatureOf(node, text))])];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function membersOf(node: SyntaxNode): readonly SyntaxNode[] {
  return (node['body'] as { readonly body: readonly SyntaxNode[] }).body;
}

function memberRow(member: SyntaxNode, { docs, text }: ParsedModule): string {
  const signature = oneLine(text.slice(member.start, member.end))
    .replace(/;$/, '')
    .replace(/^readonly /, '');
  const doc = docBefore(docs, text, member.start);
  return `- \`${signature}\`${doc === undefined ? '' : `\\\n  ${oneLine(doc)}`}`;
}

/** A function or a class without its body, and a type as it is written. */
function signatureOf(node: SyntaxNode, text: string): string {
  const body = node['body'] as SyntaxNode | null | undefined;
  return text.slice(node.start, body?.start ?? node.end).trim();
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
