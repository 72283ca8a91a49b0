import type { NodeNetwork } from './DriftlessStackProps.ts';
import { parseFields, StackPropsError, text } from './parseProperty.ts';

/** Validates the knob `nodeNetwork`. Throws a StackPropsError. */
export function parseNodeNetwork(value: unknown, path: string): NodeNetwork {
  const fields = parseFields(value, path, ['vpcId', 'subnetIds', 'securityGroupId']);
  const idOf = (kind: string) =>
    text(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), `the id of a ${kind === 'sg' ? 'security group' : kind}`);
  const { subnetIds } = fields;
  if (!Array.isArray(subnetIds) || subnetIds.length < 2) {
    throw new StackPropsError(`${path}.subnetIds`, 'must be a list of at least two subnets, in different zones');
  }
  return {
    vpcId: idOf('vpc')(fields['vpcId'], `${path}.vpcId`),
    subnetIds: subnetIds.map((id, at) => idOf('subnet')(id, `${path}.subnetIds[${at}]`)),
    securityGroupId: idOf('sg')(fields['securityGroupId'], `${path}.securityGroupId`),
  };
}
