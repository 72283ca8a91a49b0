import type { Annotate } from '../dynamic/RequestAttributes.ts';
import type { PolicyResult } from './ValidatingPolicy.ts';

const MAX_VALUE_BYTES = 10 * 1024;

/** What one policy says of one request for the audit log, by all its bindings and their parameters. As upstream's `auditAnnotationCollector`. */
export class PublishedAnnotations {
  readonly #values = new Map<string, Set<string>>();

  add({ annotations }: PolicyResult): void {
    for (const annotation of annotations) {
      if (annotation.action !== 'publish') continue;
      const values = this.#values.get(annotation.key) ?? new Set();
      this.#values.set(annotation.key, values.add(shortened(annotation.value)));
    }
  }

  /** Different values of a key become one, separated by commas. */
  publish(policy: string, annotate: Annotate): void {
    for (const [key, values] of this.#values) annotate(`${policy}/${key}`, [...values].join(', '));
  }
}

function shortened(value: string): string {
  const bytes = Buffer.from(value);
  return bytes.length <= MAX_VALUE_BYTES ? value : bytes.subarray(0, MAX_VALUE_BYTES).toString('utf8');
}
