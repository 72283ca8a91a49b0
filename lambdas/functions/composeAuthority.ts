import { DynamoDbSigningKeys } from '../adapters/aws/DynamoDbSigningKeys.ts';
import type { Aws } from '../adapters/aws/openAws.ts';
import { KeptAuthority } from '../adapters/certificates/KeptAuthority.ts';
import type { EnvironmentOf } from './readEnvironment.ts';

/** Opens the certificate authority that all functions share; `undefined` in a cluster without kubelets. Nothing is read before it is used. */
export function composeAuthority(
  { kubelets, versionsTable: tableName }: Pick<EnvironmentOf<'enqueue'>, 'kubelets' | 'versionsTable'>,
  { clock, calls }: Pick<Aws, 'clock' | 'calls'>,
): KeptAuthority | undefined {
  if (kubelets === 'none') return undefined;
  return new KeptAuthority({ clock, keys: new DynamoDbSigningKeys({ calls, tableName, signs: 'certificates' }) });
}
