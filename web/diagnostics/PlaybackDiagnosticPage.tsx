import { AudioDebugPanel } from './AudioDebugPanel.tsx'
import { DiagnosticFrame } from './DiagnosticFrame.tsx'
import { OptimizationPanel } from './OptimizationPanel.tsx'
import { PlaybackHealth } from './PlaybackHealth.tsx'
import { RepairTool } from './RepairTool.tsx'
import { Troubleshooter } from './Troubleshooter.tsx'

/** The playback diagnostic (diagnostics-14). */
export function PlaybackDiagnosticPage() {
  return (
    <DiagnosticFrame
      title="Playback Diagnostic"
      words="Why a song does not play, what listeners' players reported, and what could replace a video."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-12 pt-8 desk:grid-cols-2 min-[100rem]:grid-cols-3">
        <Troubleshooter />
        <AudioDebugPanel />
        <RepairTool />
        <OptimizationPanel />
        <PlaybackHealth />
      </div>
    </DiagnosticFrame>
  )
}
