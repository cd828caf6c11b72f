// Writes the digest of each image behind its tag, in the Dockerfile and in the compose files, so that the same text
// always means the same image. Asks the images' registries through `docker buildx imagetools`; run it again to follow a
// tag to its newest image.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

const files = readdirSync('docker').filter((name) => /^(?:Dockerfile|compose.*\.yaml)$/.test(name))
// The default of a variable that is named after an image: ARG NODE_IMAGE=node:24-slim, ${MYSQL_IMAGE:-mysql:8.4}.
const image = /(?<=_IMAGE(?:=|:-))([\w./-]+(?::\d+\/[\w./-]+)?:[\w.-]+)(?:@sha256:[0-9a-f]{64})?/g

function findDigest(name) {
  const args = ['buildx', 'imagetools', 'inspect', name, '--format', '{{json .Manifest}}']
  const answer = execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  // Of the list of platforms where there is one, so that the same text serves every processor.
  const { digest } = JSON.parse(answer)
  console.log(`${name}@${digest}`)
  return digest
}

// All are asked before any file changes.
const texts = files.map((file) => {
  const path = `docker/${file}`
  return [path, readFileSync(path, 'utf8').replace(image, (_, name) => `${name}@${findDigest(name)}`)]
})
for (const [path, text] of texts) writeFileSync(path, text)
