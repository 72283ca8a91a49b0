import type { Secret } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { World } from '../World.ts';

const TOKEN_TYPE = 'bootstrap.kubernetes.io/token';

/** A bootstrap token by its id. `endsMs` is infinite if it never ends. */
export interface BootstrapToken {
  readonly id: string;
  readonly endsMs: number;
}

/** The bootstrap tokens that are there. */
export function bootstrapTokens(world: World): readonly BootstrapToken[] {
  const secrets = world.all<Stored<Secret>>('Secret').filter(({ type }) => type === TOKEN_TYPE);
  return secrets.map(({ data = {} }) => {
    const textOf = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
    const endsMs = data['expiration'] === undefined ? Number.POSITIVE_INFINITY : Date.parse(textOf('expiration'));
    return { id: textOf('token-id'), endsMs };
  });
}
