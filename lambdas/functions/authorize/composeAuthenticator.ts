import type { Clock } from '../../ports/Clock.ts';
import type { InstanceNames } from '../../ports/InstanceNames.ts';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import { ServiceAccountTokens } from '../../rest/authentication/ServiceAccountTokens.ts';
import type { Log } from '../createLog.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { askSts, stsOf } from './askSts.ts';
import { type Authenticate, createAuthenticator } from './createAuthenticator.ts';
import { parseIdentities } from './mapCaller.ts';

export interface AuthenticatorParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the key of the service accounts' tokens. It is called when the first of them comes: most callers are identities of IAM. */
  readonly openSigningKeys: () => Promise<SigningKeys>;
  /** Asks STS. Absent: the global `fetch`. */
  readonly fetchFrom?: typeof fetch;
}

export interface Authenticator {
  readonly authenticate: Authenticate;
  /** Does what the first caller after a pause would wait for: the connection to STS in the region, the key of the service accounts' tokens, and their code. Rejects if STS or the table cannot be reached. */
  readonly warm: (region: string) => Promise<void>;
}

/** No token, but of the form of one that a service account has. */
const NOBODYS_TOKEN = 'e30.e30.e30';

/** Composes what identifies the callers of this stack, over STS and EC2 of the environment's region. Throws if the identities are invalid. */
export function composeAuthenticator(
  { clusterId, partition, identities }: Pick<EnvironmentOf<'authorize'>, 'clusterId' | 'partition' | 'identities'>,
  { clock, log, openSigningKeys, fetchFrom }: AuthenticatorParts,
): Authenticator {
  const tokens = new ServiceAccountTokens({ clock, signingKeys: onFirstUse(openSigningKeys) });
  const ask = (url: URL) => askSts(url, clusterId, fetchFrom);
  const authenticate = createAuthenticator({
    clock,
    partition,
    mappings: parseIdentities(identities),
    ask,
    instanceNames: lazyInstanceNames(),
    verify: (token) => tokens.verify(token),
    onRefused: (why) => log({ level: 'info', msg: 'refused', why }),
  });
  const warm = async (region: string) => {
    // STS refuses a request without a signature, and NOBODYS_TOKEN is refused, too.
    await Promise.all([ask(stsOf(partition, region)), tokens.verify(NOBODYS_TOKEN)]);
  };
  return { authenticate, warm };
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
