import type { SendRequest } from './SendRequest.ts';
import { UsageError } from './UsageError.ts';

/** In real time, since the clock of a cluster may stand still. */
const POLL_MS = 20;
const GIVE_UP_AFTER_MS = 30_000;

interface Definition {
  readonly status?: {
    readonly conditions?:
      | readonly { readonly type: string; readonly status: string; readonly message?: string }[]
      | null;
  };
}

/** Waits until a CustomResourceDefinition is established, so that its objects can be created. `path`: the definition's. Throws a UsageError if its names are refused, or nothing establishes it. */
export async function whenEstablished(send: SendRequest, path: string): Promise<void> {
  const endMs = performance.now() + GIVE_UP_AFTER_MS;
  let why = 'no controller has established it';
  while (performance.now() < endMs) {
    const response = await send(path);
    const { status } = (response.ok ? await response.json() : {}) as Definition;
    const conditions = status?.conditions ?? [];
    if (conditions.some(({ type, status: is }) => type === 'Established' && is === 'True')) return;
    const names = conditions.find(({ type, status: is }) => type === 'NamesAccepted' && is === 'False');
    if (names) {
      why = names.message ?? why;
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UsageError(`${path.split('/').at(-1)} is not served: ${why}`);
}

/** Whether an object defines a custom resource. */
export function isDefinition({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
}
