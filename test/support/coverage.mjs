// Vitest's coverage by V8, with the lines that commands ran: tests start them from dist as processes of their own, and Node lets
// each write what it ran to a folder.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import v8 from '@vitest/coverage-v8'
import ts from 'typescript'

// Vitest empties it before a run.
const folder = resolve('coverage/commands')
const [built, sources] = ['dist', 'src'].map((name) => `${pathToFileURL(resolve(name)).href}/`)
const ofCommands = 'commands'

/** What a process ran, by the names of the sources. */
function readProcess(name) {
  const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const own = result.map((one) => ({ ...one, url: one.url.replace(built, sources).replace(/js$/, 'ts') }))
  return { result: own.filter(({ url }) => url.startsWith(sources) && existsSync(fileURLToPath(url))) }
}

/** The code of dist for a source, compiled once more for its map. */
function compile(file) {
  const [shared, build] = ['tsconfig.json', 'src/tsconfig.build.json'].map(
    (name) => ts.readConfigFile(name, ts.sys.readFile).config.compilerOptions,
  )
  const compilerOptions = { ...shared, ...build, module: 'esnext', sourceMap: true }
  const { outputText, sourceMapText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions })
  return { code: outputText, map: { ...JSON.parse(sourceMapText), sources: [pathToFileURL(file).href] } }
}

/** Counts each line that a command ran for the statements that begin there. */
function addLines(coverage, lines) {
  for (const [id, { start }] of Object.entries(coverage.statementMap))
    coverage.s[id] += lines[start.line] ?? 0
}

export default {
  ...v8,
  startCoverage: (options) => {
    // Node gives it to each process that a test starts, whatever its environment.
    process.env.NODE_V8_COVERAGE = folder
    return v8.startCoverage(options)
  },
  getProvider: async () => {
    const provider = await v8.getProvider()
    const { generateCoverage, readCoverageFiles, transformFile } = provider
    return Object.assign(provider, {
      generateCoverage: async (context) => {
        const map = await generateCoverage.call(provider, context)
        const names = existsSync(folder) ? readdirSync(folder) : []
        provider.readCoverageFiles = async ({ onFileRead, onFinished }) => {
          for (const name of names) onFileRead(readProcess(name))
          await onFinished(provider.ctx.getRootProject(), ofCommands)
        }
        const ran = await generateCoverage.call(provider, { allTestsRun: false })
        provider.readCoverageFiles = readCoverageFiles
        for (const file of ran.files())
          if (map.files().includes(file))
            addLines(map.fileCoverageFor(file).data, ran.fileCoverageFor(file).getLineCoverage())
        return map
      },
      transformFile: (file, project, environment) =>
        environment === ofCommands
          ? Promise.resolve(compile(file))
          : transformFile.call(provider, file, project, environment),
    })
  },
}
