/** The help of `npm run preflight`. */
export const PREFLIGHT_HELP = `Look at an AWS account before \`npx cdk deploy\`, with calls that only read.

Usage
  npm run preflight -- [OPTIONS]

Options
  -c, --context KEY=VALUE  as for cdk deploy: driftless:KNOB=JSON (may be repeated)
      --profile NAME       as for cdk deploy: the profile of the AWS CLI
      --json               print the findings as JSON
  -h, --help               show this help

The region is that of AWS_REGION, or of the profile. Knobs are also read from cdk.json.

Exit code: 0 if a deployment should work, 1 if it would fail, 2 for wrong options, knobs or credentials.

Without one of these permissions the check that needs it is left out, and the report says so:
  apigateway:GET  cloudformation:DescribeStacks  cloudformation:GetTemplate
  cloudwatch:DescribeAlarms  dynamodb:DescribeTable  ec2:DescribeAvailabilityZones
  ec2:DescribeInstanceTypes  ec2:DescribeSecurityGroups  ec2:DescribeSubnets
  ec2:DescribeVpcEndpoints  ec2:DescribeVpcs  lambda:GetAccountSettings
  lambda:ListLayers  servicequotas:GetAWSDefaultServiceQuota
  servicequotas:GetServiceQuota  ssm:GetParameter
`;
