import { expect, test } from 'vitest'
import { createEmptyFolder, runIn } from '../support/empty-folder.js'

test('a fresh checkout runs with the few packages that it installs, and offers the package of integrators', async () => {
  const { folder, run } = await createEmptyFolder()
  await runIn(
    '.',
    `git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t ${folder}`,
  )
  expect(await run('npm run -s vitrine -- --help')).toContain('vitrine serve')
  expect(await run('ls node_modules')).not.toContain('vitest')
  expect(await run('tar -tzf dist/vitrine-client.tgz')).toContain('package/commonjs/index.js')
})
