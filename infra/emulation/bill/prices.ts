/**
 * AWS' on-demand list prices in US dollars, us-east-1, without any free allowance. They change: compare them with the source before you rely on a
 * figure made of them.
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
  ],
  /** Standard table class. */
  dynamoDbWriteUnit: 0.625e-6,
  dynamoDbReadUnit: 0.125e-6,
  lambdaRequest: 0.2e-6,
  /** arm64, the first tier. */
  lambdaGbSecond: 0.0000133334,
  /** Of streamed answers, beyond the first 6 MB of each. */
  lambdaStreamedGb: 0.008,
  /** Standard queues, the first tier; 64 KB each. */
  sqsRequest: 0.4e-6,
  /** REST APIs, the first tier; 10 MB of a streamed answer each. */
  apiRequest: 3.5e-6,
  dataOutGb: 0.09,
  logsGb: 0.5,
} as const;
