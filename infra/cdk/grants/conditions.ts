import { namesInstances } from '../../../lambdas/functions/authorize/mapCaller.ts';
import type { FunctionParts } from '../FunctionParts.ts';

/** The name of a condition under which a role has a permission. It depends on the stack's knobs alone. */
export type Condition =
  | 'tracing'
  | 'sampledTraces'
  | 'audit'
  | 'encryptionKey'
  | 'requestLimits'
  | 'nodesJoin'
  | 'isInNetwork'
  | 'namesInstances'
  | 'identifiesInstances';

interface KnobCondition {
  /** For `docs/permissions.md`. */
  readonly words: string;
  readonly holds: (parts: Pick<FunctionParts, 'props' | 'network'>) => boolean;
}

export const CONDITIONS: Readonly<Record<Condition, KnobCondition>> = {
  tracing: { words: 'with `tracing: true`', holds: ({ props }) => props.tracing === true },
  sampledTraces: {
    words: 'with a `sampleRate` of `tracing`',
    holds: ({ props }) => typeof props.tracing === 'object',
  },
  audit: { words: 'with `audit`', holds: ({ props }) => props.audit !== false },
  encryptionKey: { words: 'with `encryptionKey`', holds: ({ props }) => props.encryptionKey !== undefined },
  requestLimits: {
    words: 'with `requestLimits` in `config`',
    holds: ({ props }) => props.config['requestLimits'] !== undefined,
  },
  nodesJoin: {
    words: 'with `nodesJoin`, which `nodeNetwork`, `workerGroup` and `directAddress` switch on',
    holds: ({ props }) => props.nodesJoin,
  },
  isInNetwork: {
    words: 'with `nodeNetwork` or `workerGroup`',
    holds: ({ network }) => network !== undefined,
  },
  // Only identities that are named after instances make the authorizer ask EC2.
  namesInstances: {
    words: 'if an identity is named after its instance, as that of a `workerGroup` is',
    holds: ({ props }) => props.identities.some(namesInstances),
  },
  identifiesInstances: {
    words: 'with `directAddress`, if an identity is named after its instance',
    holds: ({ props }) => props.directAddress !== undefined && props.identities.some(namesInstances),
  },
};
