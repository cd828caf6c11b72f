import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

const noStarExports = {
  selector: 'ExportAllDeclaration',
  message: 'Name what is exported.',
}

export default defineConfig([
  globalIgnores(['dist', 'coverage']),
  {
    files: ['src/**/*.ts', 'test/**/*.ts', '*.config.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      complexity: ['error', { max: 10, variant: 'modified' }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', noStarExports],
      'no-console': 'error',
    },
  },
  {
    // The script of /docs; its types are checked by `tsc -p src/api/docs/tsconfig.assets.json`.
    files: ['src/api/docs/assets/**/*.js'],
    rules: {
      'no-unused-vars': 'error',
      complexity: ['error', { max: 10, variant: 'modified' }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
])
