import type { Domain, DriftlessStackProps, Firewall, MutualTls } from '../DriftlessStackProps.ts';
import { boolean, ec2Id, integer, type Parse, parseFields, StackPropsError, text } from '../parseProperty.ts';

const parseName = text(
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  'a name of DNS in lower case, such as k8s.example.com',
);
const parseCertificateArn = text(
  /^arn:[a-z-]+:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9a-f-]{36}$/,
  'the ARN of a certificate of ACM',
);
const parseHostedZoneId = text(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone of Route 53');
const parseTruststoreUri = text(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/\S{1,900}$/, 's3://BUCKET/KEY');
const parseVersion = text(/^\S{1,1024}$/, 'a version of the object in S3');

/** Validates the knob `domain`. Throws a StackPropsError. */
export const parseDomain: Parse<Domain> = (value, path) => {
  const fields = parseFields(value, path, ['name', 'certificateArn', 'hostedZoneId', 'mutualTls']);
  const { hostedZoneId, mutualTls } = fields;
  return {
    name: parseName(fields['name'], `${path}.name`),
    certificateArn: parseCertificateArn(fields['certificateArn'], `${path}.certificateArn`),
    ...(hostedZoneId !== undefined && { hostedZoneId: parseHostedZoneId(hostedZoneId, `${path}.hostedZoneId`) }),
    ...(mutualTls !== undefined && { mutualTls: parseMutualTls(mutualTls, `${path}.mutualTls`) }),
  };
};

/** Without a version, a new truststore would be no change of the template, and API Gateway would never read it. */
const parseMutualTls: Parse<MutualTls> = (value, path) => {
  const { truststoreUri, version } = parseFields(value, path, ['truststoreUri', 'version']);
  return {
    truststoreUri: parseTruststoreUri(truststoreUri, `${path}.truststoreUri`),
    version: parseVersion(version, `${path}.version`),
  };
};

/** WAF counts nothing below ten requests. */
const parseRequests = integer(10, 2_000_000_000);

/** Validates the knob `firewall`. Throws a StackPropsError. */
export const parseFirewall: Parse<Firewall> = (value, path) => {
  const { managedRules = false, requestsPerFiveMinutes: requests } = parseFields(value, path, [
    'managedRules',
    'requestsPerFiveMinutes',
  ]);
  const firewall: Firewall = {
    managedRules: boolean(managedRules, `${path}.managedRules`),
    ...(requests !== undefined && {
      requestsPerFiveMinutes: parseRequests(requests, `${path}.requestsPerFiveMinutes`),
    }),
  };
  if (firewall.managedRules || requests !== undefined) return firewall;
  throw new StackPropsError(path, 'must have managedRules, requestsPerFiveMinutes or both');
};

/** Validates the knob `endpointSubnetIds`. Throws a StackPropsError. */
export const parseEndpointSubnetIds: Parse<readonly string[]> = (value, path) => {
  if (!Array.isArray(value) || value.length === 0) throw new StackPropsError(path, 'must be a list of subnets');
  return value.map((id, at) => ec2Id('subnet')(id, `${path}[${at}]`));
};

/** Only an endpoint that the stack creates, in a network that it does not, leaves a choice. */
function checkEndpointSubnets({ endpoint, vpcEndpointId, nodeNetwork, endpointSubnetIds }: DriftlessStackProps): void {
  if (!endpointSubnetIds) return;
  if (endpoint !== 'private' || vpcEndpointId !== undefined || !nodeNetwork) {
    throw new StackPropsError(
      'endpointSubnetIds',
      'needs endpoint to be "private", a nodeNetwork, and no vpcEndpointId',
    );
  }
  const other = endpointSubnetIds.find((id) => !nodeNetwork.subnetIds.includes(id));
  if (other !== undefined) {
    throw new StackPropsError('endpointSubnetIds', `must be among nodeNetwork.subnetIds, which has no ${other}`);
  }
}

/** Checks the knobs of the API's address together. Throws a StackPropsError for what cannot be deployed, or would leave another way in. */
export function checkFrontDoor(props: DriftlessStackProps): void {
  const { endpoint, vpcEndpointId, domain, directAddress } = props;
  checkEndpointSubnets(props);
  if (domain?.mutualTls && (props.workerGroup || props.nodeNetwork)) {
    throw new StackPropsError(
      'domain.mutualTls',
      'cannot be had with nodes: kubelets have no such certificate when they join',
    );
  }
  if (endpoint === 'regional') {
    if (vpcEndpointId === undefined) return;
    throw new StackPropsError('vpcEndpointId', 'needs endpoint to be "private"');
  }
  if (vpcEndpointId === undefined && props.api === 'function' && !props.nodeNetwork && !props.workerGroup) {
    throw new StackPropsError('endpoint', 'needs vpcEndpointId, or a network for a new one: nodeNetwork');
  }
  if (domain) throw new StackPropsError('domain', 'needs endpoint to be "regional"');
  if (directAddress === 'public') {
    throw new StackPropsError('directAddress', 'must be "internal" if endpoint is "private"');
  }
}
