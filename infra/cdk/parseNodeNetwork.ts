import type { NodeNetwork } from './DriftlessStackProps.ts';
import { ec2Id, parseFields, StackPropsError } from './parseProperty.ts';

/** Validates the knob `nodeNetwork`. Throws a StackPropsError. */
export function parseNodeNetwork(value: unknown, path: string): NodeNetwork {
  const fields = parseFields(value, path, ['vpcId', 'subnetIds', 'securityGroupId']);
  const { subnetIds } = fields;
  if (!Array.isArray(subnetIds) || subnetIds.length < 2) {
    throw new StackPropsError(`${path}.subnetIds`, 'must be a list of at least two subnets, in different zones');
  }
  return {
    vpcId: ec2Id('vpc')(fields['vpcId'], `${path}.vpcId`),
    subnetIds: subnetIds.map((id, at) => ec2Id('subnet')(id, `${path}.subnetIds[${at}]`)),
    securityGroupId: ec2Id('sg')(fields['securityGroupId'], `${path}.securityGroupId`),
  };
}
