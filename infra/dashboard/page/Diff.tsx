import type { DiffLine } from '../views/diffAsYaml.ts';

const CLASSES = { '+': 'added', '-': 'removed', ' ': '' } as const;

/** Lines of YAML with what is added and removed. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <pre class="diff">
      {lines.map(({ sign, text }, index) => (
        <span key={`${index}${text}`} class={CLASSES[sign]}>
          {sign} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
