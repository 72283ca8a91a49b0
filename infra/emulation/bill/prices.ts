/**
 * AWS' on-demand list prices in US dollars, us-east-1, without free allowances. Prices change: check the sources before you rely on a figure that was computed
 * from these.
 */
export const PRICES = {
  asOf: '2025-11',
  region: 'us-east-1',
  source: [
    'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    'https://aws.amazon.com/lambda/pricing/',
    'https://aws.amazon.com/sqs/pricing/',
    'https://aws.amazon.com/api-gateway/pricing/',
    'https://aws.amazon.com/cloudwatch/pricing/',
    'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
    'https://aws.amazon.com/fargate/pricing/',
    'https://aws.amazon.com/elasticloadbalancing/pricing/',
    'https://aws.amazon.com/vpc/pricing/',
    'https://aws.amazon.com/ebs/pricing/',
    'https://aws.amazon.com/eks/pricing/',
    'https://aws.amazon.com/privatelink/pricing/',
    'https://aws.amazon.com/waf/pricing/',
    'https://aws.amazon.com/kms/pricing/',
    'https://aws.amazon.com/backup/pricing/',
    'https://aws.amazon.com/aws-cost-management/aws-cost-explorer/pricing/',
  ],
  /** Standard table class. */
  dynamoDbWriteUnit: 0.625e-6,
  dynamoDbReadUnit: 0.125e-6,
  /** Once, for each unit a second by which a table is warmed: as much as an hour of a provisioned unit. */
  dynamoDbWarmWriteUnit: 0.00065,
  dynamoDbWarmReadUnit: 0.00013,
  /** A table that is restored from its backup, by its size. */
  dynamoDbRestoredGb: 0.15,
  lambdaRequest: 0.2e-6,
  /** arm64, first tier. */
  lambdaGbSecond: 0.0000133334,
  /** Streamed answers, beyond the first 6 MB of each. */
  lambdaStreamedGb: 0.008,
  /** Standard queues, first tier; each 64 KB count as one request. */
  sqsRequest: 0.4e-6,
  /** REST APIs, first tier; each 10 MB of a streamed answer count as one request. */
  apiRequest: 3.5e-6,
  dataOutGb: 0.09,
  logsGb: 0.5,
  /** What a query of Logs Insights reads. */
  logsScannedGb: 0.005,
  costExplorerRequest: 0.01,
  /** Linux on ARM. */
  fargateArmVcpuHour: 0.03238,
  fargateArmGbHour: 0.00356,
  /** An Application Load Balancer, without the units for its load: this one is nearly idle. */
  loadBalancerHour: 0.0225,
  publicIpv4Hour: 0.005,
  t4gSmallHour: 0.0168,
  gp3GbMonth: 0.08,
  eksHour: 0.1,
  /** In each zone. */
  interfaceEndpointHour: 0.01,
  webAclMonth: 5,
  /** A group of AWS' rules counts as one. */
  webAclRuleMonth: 1,
  webAclRequest: 0.6e-6,
  /** Also for each of the first two versions that rotation adds. */
  kmsKeyMonth: 1,
  kmsRequest: 0.03 / 10_000,
  /** A backup of a table of DynamoDB, and a copy of it. */
  backupGbMonth: 0.1,
  /** What every account has free each month, also after its first year: https://aws.amazon.com/free/. */
  free: { lambdaRequests: 1e6, lambdaGbSeconds: 400_000, sqsRequests: 1e6, logsGb: 5 },
} as const;
