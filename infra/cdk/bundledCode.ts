import { dirname } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

/** A function's code, which `bundle` writes into a directory in this process. The CDK requires a Docker image here but never uses it. */
export function bundledCode(entry: string, bundle: (directory: string) => void): Code {
  return Code.fromAsset(dirname(entry), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (directory) => {
          bundle(directory);
          return true;
        },
      },
    },
  });
}
