import { randomBytes } from 'node:crypto';
import type { IdentityMapping } from '../../../lambdas/functions/authorize/mapCaller.ts';
import type { EmulatedInstance } from '../services/EmulatedEc2.ts';
import { ACCOUNT } from '../template/Template.ts';
import type { KnownIdentity } from './EmulatedSts.ts';

const ADMINISTRATOR_ARN = `arn:aws:iam::${ACCOUNT}:user/administrator`;
const INSTANCE_ROLE = 'Node';

/** Which users the stack's identities are: an administrator, and the instances, which are nodes. The authorizer asks EC2 only for the latter, so a stack without instances has no such mapping. */
export function emulatedMappings(instances: readonly EmulatedInstance[]): readonly IdentityMapping[] {
  const administrator = { arn: ADMINISTRATOR_ARN, username: 'administrator', groups: ['system:masters'] };
  const arn = `arn:aws:iam::${ACCOUNT}:role/${INSTANCE_ROLE}`;
  const node = { arn, username: 'system:node:{{EC2PrivateDNSName}}', groups: ['system:nodes'] };
  return instances.length === 0 ? [administrator] : [administrator, node];
}

/** Creates the administrator. Its secret is new in each run: any user of this machine could sign tokens with a known one. */
export function createAdministrator(): KnownIdentity {
  return {
    ...newCredentials('AKIAEMULATEDEMULATED'),
    arn: ADMINISTRATOR_ARN,
    account: ACCOUNT,
    userId: 'AIDAEMULATED',
  };
}

/** Creates the session that an instance has by its instance profile. */
export function createInstanceSession({ id }: EmulatedInstance): KnownIdentity {
  return {
    ...newCredentials(`ASIA${id.slice(2).toUpperCase()}`),
    arn: `arn:aws:sts::${ACCOUNT}:assumed-role/${INSTANCE_ROLE}/${id}`,
    account: ACCOUNT,
    userId: `AROAEMULATED:${id}`,
  };
}

/** Creates the session that the function of the smoke test has by its role. */
export function createSmokeTestSession(role: string): KnownIdentity {
  return {
    ...newCredentials('ASIAEMULATEDSMOKETEST'),
    arn: `arn:aws:sts::${ACCOUNT}:assumed-role/${role}/function`,
    account: ACCOUNT,
    userId: 'AROASMOKETEST:function',
  };
}

function newCredentials(accessKeyId: string) {
  return { accessKeyId, secretAccessKey: randomBytes(30).toString('base64') };
}
