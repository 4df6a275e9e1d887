import { DiagnosticFrame } from '../diagnostics/DiagnosticFrame.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { AccountsTab } from './AccountsTab.tsx'
import { ActsTab } from './ActsTab.tsx'
import { InvitationsTab } from './InvitationsTab.tsx'
import { LimitsTab } from './LimitsTab.tsx'

/** What operators do with accounts, invitations and limits (accounts-1). */
export function AdminPage() {
  return (
    <DiagnosticFrame
      title="Accounts"
      words="Accounts, invitations and limits. Everything that is done here is written into the trail. The command npm run account does the same with accounts and invitations."
    >
      <Tabs defaultValue="accounts" className="mt-2">
        <TabList label="Accounts">
          <Tab value="accounts">Accounts</Tab>
          <Tab value="invitations">Invitations</Tab>
          <Tab value="limits">Limits</Tab>
          <Tab value="trail">Trail</Tab>
        </TabList>
        <TabPanel value="accounts">
          <AccountsTab />
        </TabPanel>
        <TabPanel value="invitations">
          <InvitationsTab />
        </TabPanel>
        <TabPanel value="limits">
          <LimitsTab />
        </TabPanel>
        <TabPanel value="trail">
          <ActsTab />
        </TabPanel>
      </Tabs>
    </DiagnosticFrame>
  )
}
