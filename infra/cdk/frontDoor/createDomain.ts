import type { CfnResource } from 'aws-cdk-lib';
import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet, type CfnRecordSetProps } from 'aws-cdk-lib/aws-route53';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Domain, MutualTls } from '../DriftlessStackProps.ts';

/** Gives the API's stage a name of the user's, with no path of its own: requests come without the stage. Returns the name that has to be its alias. */
export function createDomain(scope: Construct, api: RestApi, domain: Domain): string {
  const { name, certificateArn, hostedZoneId, mutualTls } = domain;
  const made = new DomainName(scope, 'ApiDomain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'ApiCertificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
    ...(mutualTls && { mtls: truststoreOf(scope, mutualTls) }),
  });
  (made.node.defaultChild as CfnResource).overrideLogicalId('ApiDomain');
  made.addBasePathMapping(api, { stage: api.deploymentStage });
  const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId } = made;
  if (hostedZoneId !== undefined) {
    createRecord(scope, { hostedZoneId, name, aliasTarget: { dnsName, hostedZoneId: domainNameAliasHostedZoneId } });
  }
  return dnsName;
}

function createRecord(scope: Construct, record: Omit<CfnRecordSetProps, 'type'>): CfnRecordSet {
  return new CfnRecordSet(scope, 'ApiRecord', { ...record, type: 'A' });
}

function truststoreOf(scope: Construct, { truststoreUri, version }: MutualTls) {
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(truststoreUri) ?? [];
  return { bucket: Bucket.fromBucketName(scope, 'Truststore', bucket), key, version };
}
