interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
}

/** The rights that a run needs in the account of a stack with this name: without one of them the step that needs it is left out. Those for what it changes name the stack's own resources, and its own copies. Pure. */
export function policyFor(stack: string): { readonly Version: string; readonly Statement: readonly Statement[] } {
  const tables = `arn:aws:dynamodb:*:*:table/${stack}-*`;
  const copies = 'arn:aws:dynamodb:*:*:table/driftless-verify-*';
  return {
    Version: '2012-10-17',
    Statement: [
      allow(
        'ReadStack',
        ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate', 'cloudformation:ListStackResources'],
        [`arn:aws:cloudformation:*:*:stack/${stack}/*`],
      ),
      // These know no resources, or are asked for what is not the stack's alone.
      allow(
        'ReadAccount',
        [
          'budgets:ViewBudget',
          'ce:GetCostAndUsage',
          'cloudwatch:DescribeAlarmHistory',
          'cloudwatch:DescribeAlarms',
          'cloudwatch:GetMetricStatistics',
          'ec2:DescribeAvailabilityZones',
          'ec2:DescribeSubnets',
          'lambda:ListLayers',
          'logs:GetQueryResults',
        ],
        ['*'],
      ),
      allow('QueryLogs', ['logs:StartQuery'], [`arn:aws:logs:*:*:log-group:${stack}-*`]),
      allow(
        'ReadTables',
        [
          'dynamodb:DescribeContinuousBackups',
          'dynamodb:DescribeTable',
          'dynamodb:DescribeTimeToLive',
          'dynamodb:Scan',
        ],
        [tables, copies],
      ),
      allow('RestoreObjects', ['dynamodb:RestoreTableToPointInTime'], [tables, copies]),
      // DynamoDB asks for these of whoever restores: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/backuprestore_IAM.html
      allow(
        'WriteCopies',
        [
          'dynamodb:BatchWriteItem',
          'dynamodb:DeleteItem',
          'dynamodb:DeleteTable',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
        [copies],
      ),
      // With `encryptionKey`, DynamoDB uses the key for whoever reads its tables, and for the copies a grant that lasts as long as they do (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html). Nobody can use it otherwise by this.
      {
        ...allow(
          'UseKeyOfTables',
          [
            'kms:CreateGrant',
            'kms:Decrypt',
            'kms:DescribeKey',
            'kms:Encrypt',
            'kms:GenerateDataKey*',
            'kms:ReEncrypt*',
          ],
          ['arn:aws:kms:*:*:key/*'],
        ),
        Condition: { StringLike: { 'kms:ViaService': 'dynamodb.*.amazonaws.com' } },
      },
      allow('SetOffAlarms', ['cloudwatch:SetAlarmState'], [`arn:aws:cloudwatch:*:*:alarm:${stack}-*`]),
      allow(
        'ThrottleApi',
        ['lambda:DeleteFunctionConcurrency', 'lambda:GetFunctionConcurrency', 'lambda:PutFunctionConcurrency'],
        [`arn:aws:lambda:*:*:function:${stack}-*`],
      ),
    ],
  };
}

function allow(Sid: string, Action: readonly string[], Resource: readonly string[]): Statement {
  return { Sid, Effect: 'Allow', Action, Resource };
}
