# Installs opbench @VERSION@ from @BOARD@ for your user. Needs no administrator.
# Run it in PowerShell with:  irm @BOARD@/install.ps1 | iex
#
# OPBENCH_BIN   the folder of the command; default: %LOCALAPPDATA%\opbench. If it is set, the PATH is not changed.
# OPBENCH_HOME  the folder of the program; default: %USERPROFILE%\.config\opbench
& {
  $board = '@BOARD@'
  $version = '@VERSION@'
  $sha256 = '@SHA256@'
  $least = '@NODE@'
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'

  function Get-FirstSet {
    foreach ($value in $args) { if ($value) { return $value } }
  }

  function Stop-Install($why, $advice) {
    throw "opbench was not installed: $why`n$advice"
  }

  function Confirm-Node {
    $found = 'none'
    if (Get-Command node -ErrorAction SilentlyContinue) { $found = & node -p process.versions.node }
    if ($found -match '^(\d+)\.' -and [int]$Matches[1] -ge [int]$least) { return }
    Stop-Install "it needs Node.js $least or later; found: $found" @"
Get Node.js with: winget install OpenJS.NodeJS.LTS
or from https://nodejs.org/en/download. Then run this command again in a new window.
"@
  }

  # Replaces only a command of this script.
  function Confirm-Command($path) {
    if (-not (Test-Path -LiteralPath $path)) { return }
    if (Select-String -LiteralPath $path -SimpleMatch 'Written by install.ps1 of opbench' -Quiet) { return }
    Stop-Install "$path exists and is another program" 'Move it to another folder, or set OPBENCH_BIN.'
  }

  function Confirm-Download($file) {
    $digest = (Get-FileHash -LiteralPath $file -Algorithm SHA256).Hash.ToLowerInvariant()
    if ($digest -ne $sha256) {
      Stop-Install "the download has the wrong SHA-256 digest ($digest)" (
        'The board may have been updated meanwhile. Run this command again. ' +
        'If it fails again, tell the admin of the board.')
    }
    & node $file --version | Out-Null
    if ($LASTEXITCODE -ne 0) { Stop-Install 'the program does not start' '' }
  }

  # The version of a program as numbers that can be compared. A prerelease is below its release.
  function Get-ProgramVersion($file) {
    $line = Get-Content -LiteralPath $file -TotalCount 2 | Select-Object -Last 1
    if ($line -notmatch '^// opbench (\d+\.\d+\.\d+)(-?)') { return [version]'0.0.0.0' }
    $last = if ($Matches[2]) { 0 } else { 1 }
    return [version]"$($Matches[1]).$last"
  }

  # Keeps variables in the PATH as they are, and tells running programs that it has changed.
  function Add-ToPath($folder) {
    $key = 'HKCU:\Environment'
    $path = (Get-Item $key).GetValue('Path', '', 'DoNotExpandEnvironmentNames')
    $known = ($path -split ';') + ($env:Path -split ';') | ForEach-Object { $_.TrimEnd('\') }
    if ($known -contains $folder.TrimEnd('\')) { return }
    $parts = @($path.TrimEnd(';'), $folder) | Where-Object { $_ }
    Set-ItemProperty $key -Name Path -Value ($parts -join ';') -Type ExpandString
    [Environment]::SetEnvironmentVariable('OPBENCH_PATH_CHANGED', $null, 'User')
    $env:Path = "$env:Path;$folder"
    Write-Host "Added $folder to your PATH"
  }

  # "opbench update" replaces the program that this runs.
  $launcher = @'
@echo off
rem Written by install.ps1 of opbench
setlocal
set "OPBENCH_ON_PATH=yes"
set "_opbench=%USERPROFILE%\.config"
if defined HOME set "_opbench=%HOME%\.config"
if defined XDG_CONFIG_HOME set "_opbench=%XDG_CONFIG_HOME%"
set "_opbench=%_opbench%\opbench"
if defined OPBENCH_HOME set "_opbench=%OPBENCH_HOME%"
node "%_opbench%\opbench.mjs" %*
'@

  $bin = Get-FirstSet $env:OPBENCH_BIN (Join-Path $env:LOCALAPPDATA 'opbench')
  $config = Get-FirstSet $env:XDG_CONFIG_HOME (Join-Path (Get-FirstSet $env:HOME $env:USERPROFILE) '.config')
  $state = Get-FirstSet $env:OPBENCH_HOME (Join-Path $config 'opbench')
  $command = Join-Path $bin 'opbench.cmd'
  $program = Join-Path $state 'opbench.mjs'

  Confirm-Node
  Confirm-Command $command
  New-Item -ItemType Directory -Force -Path $bin, $state | Out-Null
  $temporary = Join-Path $state "install.$PID"
  New-Item -ItemType Directory -Force -Path $temporary | Out-Null
  try {
    Write-Host "Downloading opbench $version from $board"
    $file = Join-Path $temporary 'opbench.mjs'
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
    Invoke-WebRequest -UseBasicParsing -Uri "$board/opbench.mjs" -OutFile $file
    Confirm-Download $file
    if ((Test-Path -LiteralPath $program) -and (Get-ProgramVersion $program) -gt (Get-ProgramVersion $file)) {
      Write-Host "Kept $program, which is newer"
    } else {
      Move-Item -LiteralPath $file -Destination $program -Force
    }
    $written = Join-Path $temporary 'opbench.cmd'
    Set-Content -LiteralPath $written -Value $launcher -Encoding Ascii
    Move-Item -LiteralPath $written -Destination $command -Force
  } finally {
    Remove-Item -LiteralPath $temporary -Recurse -Force -ErrorAction SilentlyContinue
  }
  Write-Host "Installed $command"
  if (-not $env:OPBENCH_BIN) { Add-ToPath $bin }
  Write-Host "Next: get a code from `"Add a device`" in $board/settings, then run:"
  Write-Host '  opbench enroll CODE'
}
