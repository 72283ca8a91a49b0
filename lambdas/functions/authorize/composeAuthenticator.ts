import type { Clock } from '../../ports/Clock.ts';
import type { InstanceNames } from '../../ports/InstanceNames.ts';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import { ServiceAccountTokens } from '../../rest/authentication/ServiceAccountTokens.ts';
import type { Log } from '../createLog.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { askSts } from './askSts.ts';
import { type Authenticate, createAuthenticator } from './createAuthenticator.ts';
import { parseIdentities } from './mapCaller.ts';

export interface AuthenticatorParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the key of the service accounts' tokens. It is called when the first of them comes: most callers are identities of IAM. */
  readonly openSigningKeys: () => Promise<SigningKeys>;
}

/** Composes what identifies the callers of this stack, over STS and EC2 of the environment's region. Throws if the identities are invalid. */
export function composeAuthenticator(
  { clusterId, partition, identities }: Pick<EnvironmentOf<'authorize'>, 'clusterId' | 'partition' | 'identities'>,
  { clock, log, openSigningKeys }: AuthenticatorParts,
): Authenticate {
  const tokens = new ServiceAccountTokens({ clock, signingKeys: onFirstUse(openSigningKeys) });
  return createAuthenticator({
    clock,
    partition,
    mappings: parseIdentities(identities),
    ask: (url) => askSts(url, clusterId),
    instanceNames: lazyInstanceNames(),
    verify: (token) => tokens.verify(token),
    onRefused: (why) => log({ level: 'info', msg: 'refused', why }),
  });
}

function onFirstUse(open: () => Promise<SigningKeys>): SigningKeys {
  let opened: Promise<SigningKeys> | undefined;
  const keys = () => (opened ??= open());
  return { read: async () => (await keys()).read(), keep: async (made) => (await keys()).keep(made) };
}

/** The client of EC2 is loaded when the first instance comes: only a stack with nodes of its own has any. */
function lazyInstanceNames(): InstanceNames {
  let opened: Promise<InstanceNames> | undefined;
  const open = () =>
    (opened ??= import('../../adapters/aws/Ec2InstanceNames.ts').then(
      ({ Ec2InstanceNames }) => new Ec2InstanceNames(),
    ));
  return { privateDnsNameOf: async (instanceId) => (await open()).privateDnsNameOf(instanceId) };
}
